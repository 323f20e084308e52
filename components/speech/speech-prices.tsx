import { PriceTable } from '@/components/billing/price-table';
import { Badge } from '@/components/ui/badge';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { CHARACTERS_PER_MINUTE } from '@/lib/browser/speech/speech-minute';
import { speechWords } from '@/lib/browser/words/speech';
import type { SpeechModel } from '@/lib/client';

const { empty: words, bar } = speechWords;

export function SpeechPrices({ models }: { models: readonly SpeechModel[] }) {
  const rows = models.map(({ id, name, voices, usdPerMillionCharacters, isOffline }) => ({
    key: id,
    name: isOffline ? (
      <>
        {name} <Badge tone="bad">{bar.offline}</Badge>
      </>
    ) : (
      name
    ),
    figure: voices.length,
    price: formatUsdNumber(Number(((usdPerMillionCharacters * CHARACTERS_PER_MINUTE) / 1_000_000).toFixed(4))),
  }));
  return (
    <PriceTable
      id="speech-prices"
      title={words.prices}
      head={words.priceHead}
      rows={rows}
      note={words.priceHelp(CHARACTERS_PER_MINUTE)}
    />
  );
}
