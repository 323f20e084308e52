import type { ReactNode } from 'react';

interface PriceTableProps {
  id: string;
  title: string;
  head: readonly [string, string, string];
  rows: readonly PriceRow[];
  note: string;
}

export interface PriceRow {
  key: string;
  name: ReactNode;
  /** True if the row above has the same name; then only screen readers get the name. */
  isNameRepeated?: boolean;
  figure: string | number;
  price: string;
}

/** Renders nothing if there are no rows. */
export function PriceTable({ id, title, head: [name, figure, price], rows, note }: PriceTableProps) {
  if (rows.length === 0) return null;
  const decimals = Math.max(...rows.map((row) => decimalsOf(row.price)));
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      <table className="w-full border-y border-line text-sm">
        <thead className="text-xs text-dim">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">
              {name}
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              {figure}
            </th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              {price}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                <span className={row.isNameRepeated === true ? 'sr-only' : undefined}>{row.name}</span>
              </th>
              <td className="figures py-1.5 text-right text-dim">{row.figure}</td>
              <td className="figures py-1.5 pl-4 text-right whitespace-pre">
                {/* Aligns the decimal points. */}
                {row.price}
                <span aria-hidden>{' '.repeat(decimals - decimalsOf(row.price))}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-xs text-faint">{note}</p>
    </section>
  );
}

function decimalsOf(price: string): number {
  return price.split('.')[1]?.length ?? 0;
}
