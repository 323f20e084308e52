import { formatBalance, formatCount } from '@/lib/browser/text/amounts';
import { formatSum } from './day-totals';
import { operatorWords } from './words';
import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const words = operatorWords.glance;

export function BooksGlance({ books: { accounts, keys, days, openPayments, ledgerCheck } }: { books: BooksFigures }) {
  const today = days.at(-1);
  const open = openPayments.reduce((sum, { payments }) => sum + payments, 0);
  const openNanoUsd = openPayments.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
  const oldest = Math.min(...openPayments.map(({ oldestAt }) => Date.parse(oldestAt)));
  return (
    <section
      aria-label={words.label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4"
    >
      <Tile name={words.paidIn} note={words.byX402}>
        {formatSum(today?.paidInNanoUsd ?? 0)}
      </Tile>
      <Tile name={words.accounts} note={words.keys(keys.live, keys.ended)}>
        {formatCount(accounts)}
      </Tile>
      <Tile
        name={words.openPayments}
        note={open === 0 ? words.nothingOpen : `${formatBalance(openNanoUsd / 1e9)}, ${words.oldest(oldest)}`}
      >
        {formatCount(open)}
      </Tile>
      <Books ledgerCheck={ledgerCheck} />
    </section>
  );
}

function Books({ ledgerCheck }: Pick<BooksFigures, 'ledgerCheck'>) {
  if (ledgerCheck === null) {
    return (
      <Tile name={words.books} note={<code className="figures">{words.checkThem}</code>}>
        <TriangleAlert aria-hidden className="mr-1.5 size-4 text-amber-ink" />
        <span className="font-sans text-lg">{words.neverChecked}</span>
      </Tile>
    );
  }
  const { at, faults } = ledgerCheck;
  return (
    <Tile name={words.books} note={words.checked(Date.parse(at))}>
      {faults === 0 ? (
        <CircleCheck aria-hidden className="mr-1.5 size-4 text-good" />
      ) : (
        <CircleX aria-hidden className="mr-1.5 size-4 text-bad" />
      )}
      <span className="font-sans text-lg">{faults === 0 ? words.agree : words.faults(faults)}</span>
    </Tile>
  );
}

function Tile({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 bg-ground px-4 py-3">
      <p className="text-xs text-faint">{name}</p>
      <p className="figures flex min-h-9 items-center text-xl font-semibold [&_svg]:shrink-0">{children}</p>
      <p className="text-xs text-dim">{note}</p>
    </div>
  );
}
