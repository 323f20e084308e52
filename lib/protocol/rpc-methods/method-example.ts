/** Parameter type, which determines the console's input field and its validation. */
type ParamType =
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

export interface MethodParam {
  name: string;
  type: ParamType;
  /** Required parameters come first. */
  required: boolean;
  /** Example value. A read method with this value is harmless on every network. */
  example: unknown;
  description: string;
}

export interface MethodExample {
  /** One line, without a full stop. */
  description: string;
  params: readonly MethodParam[];
}

export function required(name: string, type: ParamType, example: unknown, description: string): MethodParam {
  return { name, type, required: true, example, description };
}

export function optional(name: string, type: ParamType, example: unknown, description: string): MethodParam {
  return { name, type, required: false, example, description };
}
