import type { ReactNode } from 'react';

/** One choice. `keywords` are found by the search, beside `value`. */
export interface ComboboxOption {
  value: string;
  keywords?: readonly string[];
  /** How it looks in the list. */
  content: ReactNode;
}

export interface ComboboxGroup {
  heading: string;
  options: readonly ComboboxOption[];
}
