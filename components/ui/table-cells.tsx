/** A cell of a table whose rows are blocks of their own on a phone, each cell a line with its name at the left. */
export const CELL =
  'py-1.5 pr-4 align-middle max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5 max-sm:pr-0';
export const FIGURES_CELL = `${CELL} figures text-right whitespace-nowrap`;

/** What the head of such a table says on wide screens, beside a cell that stands alone on a phone. */
export function CellName({ children }: { children: string }) {
  return (
    <span aria-hidden className="font-sans text-xs text-faint sm:hidden">
      {children}
    </span>
  );
}

/** The head of such a table: the names of its columns, those of figures at the right. */
export function ColumnHeads({ names }: { names: readonly { name: string; isFigure?: boolean }[] }) {
  return (
    <thead className="border-b border-line text-left text-xs text-faint max-sm:sr-only">
      <tr>
        {names.map(({ name, isFigure = false }) => (
          <th key={name} scope="col" className={`py-1.5 pr-4 font-normal last:pr-0 ${isFigure ? 'text-right' : ''}`}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
