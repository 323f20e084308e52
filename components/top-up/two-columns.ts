/** Layout of a payment or its form, with the steps in the second column. */
export const TWO_COLUMNS =
  'grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8';
