import { type PriceRow, PriceTable } from '@/components/billing/price-table';
import { formatCost } from '@/lib/browser/amounts';
import { lengthsInOrder, videoCostUsd } from '@/lib/browser/video/video-price';
import { videoWords } from '@/lib/browser/words/video';
import type { VideoModel } from '@/lib/client';

const { empty: words, form } = videoWords;

/** Lists prices by model and length for visitors without a payment method. */
export function VideoPrices({ models }: { models: readonly VideoModel[] }) {
  return (
    <PriceTable
      id="video-prices"
      title={words.prices}
      head={words.priceHead}
      rows={models.flatMap(rowsOf)}
      note={words.priceHelp}
    />
  );
}

function rowsOf(model: VideoModel): PriceRow[] {
  return lengthsInOrder(model.durations).map((duration, index) => ({
    key: `${model.id} ${duration}`,
    name: model.name,
    isNameRepeated: index > 0,
    figure: form.seconds(duration),
    price: formatCost(videoCostUsd(model, duration)),
  }));
}
