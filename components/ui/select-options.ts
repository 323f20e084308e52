export interface SelectOption {
  value: string;
  /** Text of the option; the value by default. */
  label?: string;
  /** Heading above the option and those that follow with the same heading. */
  group?: string;
}

/** Returns what the option shows. */
export function labelOf(option: SelectOption | undefined): string {
  return option?.label ?? option?.value ?? '';
}
