'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { formatCost } from '@/lib/browser/amounts';
import { usePricePerCredit } from '@/lib/browser/price';
import { topUpWords } from '@/lib/browser/words/top-up';
import { useId } from 'react';

const words = topUpWords.amount;

const PRESETS = ['5', '10', '25', '50'] as const;
/** Credits for an eth_call on Ethereum, Base and most other networks (spec, RPC rule 4). */
const CALL_CREDITS = 20;

interface AmountFieldProps {
  value: string;
  /** Minimum amount for display, such as `5.00`. */
  minimum: string;
  problem: string | null;
  /** Typed amount, for showing what the amount buys; null if the user cannot pay the amount. */
  usd: number | null;
  disabled: boolean;
  onChange: (text: string) => void;
}

/** Amount field with four presets. Accepts any amount from the minimum. */
export function AmountField({ value, minimum, problem, usd, disabled, onChange }: AmountFieldProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-2" aria-disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{words.legend}</legend>
      <div className="grid grid-cols-4 gap-2">
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            disabled={disabled}
            aria-pressed={value.trim() === preset}
            className="figures aria-pressed:border-amber aria-pressed:bg-amber-soft aria-pressed:text-amber-ink"
            onClick={() => onChange(preset)}
          >
            {preset}
          </Button>
        ))}
      </div>
      <Field label={words.another} hint={words.from(minimum)} htmlFor={id} message={problem}>
        <Input
          id={id}
          value={value}
          disabled={disabled}
          inputMode="decimal"
          className="figures"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <Buys usd={usd} />
    </fieldset>
  );
}

/** Shows what the amount buys, on a reserved line, so that nothing moves. */
function Buys({ usd }: { usd: number | null }) {
  const price = usePricePerCredit();
  const calls = usd !== null && price > 0 ? Math.floor((usd * 1e9) / (price * CALL_CREDITS)) : null;
  const callCost = formatCost(((price * CALL_CREDITS) / 1e9).toFixed(9));
  return (
    <p className="text-xs text-dim">{calls === null ? words.callCosts(callCost) : words.buysCalls(calls, callCost)}</p>
  );
}
