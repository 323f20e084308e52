import type { ReactNode } from 'react';

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

/** Choice in a combobox. The search matches `value` and `keywords`. */
export interface ComboboxOption {
  value: string;
  keywords?: readonly string[];
  content: ReactNode;
}

export interface ComboboxGroup {
  heading: string;
  options: readonly ComboboxOption[];
}
