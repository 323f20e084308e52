/** Of a payment and of the form before it: what is done, and its steps beside. */
export const TWO_COLUMNS =
  'grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8';
