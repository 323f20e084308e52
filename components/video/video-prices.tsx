import { formatCost } from '@/lib/browser/amounts';
import { videoCostUsd } from '@/lib/browser/video/video-price';
import { videoWords } from '@/lib/browser/words/video';
import type { VideoModel } from '@/lib/client';

const { empty: words, form } = videoWords;

/** For somebody who only looks: what a video costs, by model and length. */
export function VideoPrices({ models }: { models: readonly VideoModel[] }) {
  if (models.length === 0) return null;
  const [model, length, price] = words.priceHead;
  return (
    <section aria-labelledby="video-prices" className="grid gap-2">
      <h2 id="video-prices" className="text-sm font-semibold">{words.prices}</h2>
      <table className="w-full border-y border-line text-sm">
        <thead className="text-xs text-dim">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">{model}</th>
            <th scope="col" className="py-1.5 text-right font-normal">{length}</th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">{price}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {models.flatMap((each) =>
            each.durations.map((duration, index) => (
              <tr key={`${each.id} ${duration}`}>
                <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                  <span className={index === 0 ? undefined : 'sr-only'}>{each.name}</span>
                </th>
                <td className="figures py-1.5 text-right text-dim">{form.seconds(duration)}</td>
                <td className="figures py-1.5 pl-4 text-right">{formatCost(videoCostUsd(each, duration))}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      <p className="text-xs text-faint">{words.priceHelp}</p>
    </section>
  );
}
