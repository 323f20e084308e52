import type { ReactNode } from 'react';

export interface SelectOption {
  value: string;
  /** Text of the option; the value by default. */
  label?: string;
  /** Heading above consecutive options with the same `group`. */
  group?: string;
}

export function labelOf(option: SelectOption | undefined): string {
  return option?.label ?? option?.value ?? '';
}

/** The search matches `value` and `keywords`. */
export interface ComboboxOption {
  value: string;
  keywords?: readonly string[];
  content: ReactNode;
}

export interface ComboboxGroup {
  heading: string;
  options: readonly ComboboxOption[];
}
