import { Badge } from '@/components/ui/badge';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { CHARACTERS_PER_MINUTE } from '@/lib/browser/speech/speech-minute';
import { speechWords } from '@/lib/browser/words/speech';
import type { SpeechModel } from '@/lib/client';

const { empty: words, bar } = speechWords;

/** For somebody who only looks: what a minute of speech costs, by model. */
export function SpeechPrices({ models }: { models: readonly SpeechModel[] }) {
  if (models.length === 0) return null;
  const [model, voices, minute] = words.priceHead;
  return (
    <section aria-labelledby="speech-prices" className="grid gap-2">
      <h2 id="speech-prices" className="text-sm font-semibold">{words.prices}</h2>
      <table className="w-full border-y border-line text-sm">
        <thead className="text-xs text-dim">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">{model}</th>
            <th scope="col" className="py-1.5 text-right font-normal">{voices}</th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">{minute}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {models.map(({ id, name, voices: all, usdPerMillionCharacters, isOffline }) => (
            <tr key={id}>
              <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                {name} {isOffline && <Badge tone="bad">{bar.offline}</Badge>}
              </th>
              <td className="figures py-1.5 text-right text-dim">{all.length}</td>
              <td className="figures py-1.5 pl-4 text-right">{formatUsdNumber(Number(((usdPerMillionCharacters * CHARACTERS_PER_MINUTE) / 1_000_000).toFixed(4)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-xs text-faint">{words.priceHelp(CHARACTERS_PER_MINUTE)}</p>
    </section>
  );
}
