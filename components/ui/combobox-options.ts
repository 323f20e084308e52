import type { ReactNode } from 'react';

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
