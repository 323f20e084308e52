import { epochAt, epochStart } from '../rules/epoch';

/** The days of UTC in a period, newest first, cut at its ends. */
export function* daysOf<Period extends { from: number; until: number }>(period: Period): Generator<Period> {
  for (let until = period.until; until > period.from;) {
    const from = Math.max(period.from, epochStart(epochAt(until - 1)));
    yield { ...period, from, until };
    until = from;
  }
}
