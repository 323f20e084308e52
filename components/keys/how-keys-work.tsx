import { keysWords } from '@/lib/browser/words/keys';

/** Explains staking and minting in four steps to users without a connected wallet. */
export function HowKeysWork({ stakeSymbol }: { stakeSymbol: string }) {
  const words = keysWords.how;
  const steps = [words.connect, words.stake(stakeSymbol), words.mint, words.call];
  return (
    <ol
      aria-label={words.label}
      className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-2 lg:grid-cols-4"
    >
      {steps.map(({ name, note }, index) => (
        <li key={name} className="grid content-start gap-1 bg-ground p-4">
          <span aria-hidden className="figures text-xs text-amber-ink">
            {index + 1}
          </span>
          <span className="font-medium">{name}</span>
          <span className="text-sm text-dim">{note}</span>
        </li>
      ))}
    </ol>
  );
}

export function WhatKeysDo() {
  const { title, facts } = keysWords.can;
  return (
    <section aria-label={title} className="grid content-start gap-4 rounded-md border border-line p-4">
      <h2 className="text-lg font-semibold">{title}</h2>
      <dl className="grid gap-4">
        {facts.map(([name, text]) => (
          <div key={name} className="grid gap-0.5">
            <dt className="text-sm font-medium">{name}</dt>
            <dd className="text-sm text-dim">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
