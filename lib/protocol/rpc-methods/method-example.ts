/** What a parameter holds, for an editor to choose an input and a check by. */
export type ParamType =
  | 'address'
  | 'hash'
  | 'quantity'
  | 'block'
  | 'data'
  | 'boolean'
  | 'object'
  | 'array'
  | 'string'
  | 'number';

/** One positional parameter of a method. */
export interface MethodParam {
  name: string;
  type: ParamType;
  /** Whether a ready-to-send call needs it. Required parameters come before optional ones. */
  required: boolean;
  /** A JSON value of the right shape. Reading with it is harmless on every network. */
  example: unknown;
  description: string;
}

/** What a person needs to know to call a method for the first time. */
export interface MethodExample {
  /** One line, with no full stop. */
  description: string;
  params: readonly MethodParam[];
}

/** A parameter that a call needs. */
export function required(name: string, type: ParamType, example: unknown, description: string): MethodParam {
  return { name, type, required: true, example, description };
}

/** A parameter that a call may leave out. */
export function optional(name: string, type: ParamType, example: unknown, description: string): MethodParam {
  return { name, type, required: false, example, description };
}
