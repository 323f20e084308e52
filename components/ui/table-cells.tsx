/** Cell of a table whose rows become blocks on a phone. Each cell is then a line with the column name on the left. */
export const CELL =
  'py-1.5 pr-4 align-middle max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5 max-sm:pr-0';
export const FIGURES_CELL = `${CELL} figures text-right whitespace-nowrap`;

/** Column name beside a cell. Only phones show this name, because they show no table head. */
export function CellName({ children }: { children: string }) {
  return (
    <span aria-hidden className="font-sans text-xs text-faint sm:hidden">
      {children}
    </span>
  );
}

/** Head of a table with `CELL` cells. Right-aligns the names of columns with figures. */
export function ColumnHeads({ names }: { names: readonly { name: string; isFigure?: boolean; className?: string }[] }) {
  return (
    <thead className="border-b border-line text-left text-xs text-faint max-sm:sr-only">
      <tr>
        {names.map(({ name, isFigure = false, className = '' }) => (
          <th
            key={name}
            scope="col"
            className={`py-1.5 pr-4 font-normal last:pr-0 ${isFigure ? 'text-right' : ''} ${className}`}
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
