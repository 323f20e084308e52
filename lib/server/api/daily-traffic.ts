import type { GatewayFigures } from '@/lib/protocol/operator-figures';
import { epochAt, epochName } from '@/lib/protocol/allocation/epoch';
import { type TrafficSample, trafficBetween } from './traffic-window';

const DAYS_MAX = 30;

/**
 * Counts requests by UTC day since the start. Call `read` every minute, because only `read` notices the end of a day.
 */
export class DailyTraffic {
  #ended: NonNullable<GatewayFigures['trafficDays']> = [];
  #day: number;
  #first: TrafficSample;

  constructor(
    private readonly take: () => TrafficSample,
    private readonly bounds: readonly number[],
    now: number,
  ) {
    this.#day = epochAt(now);
    this.#first = take();
  }

  #turnDay(now: number): void {
    if (epochAt(now) <= this.#day) return;
    this.#ended = [...this.#ended, this.#today()].slice(1 - DAYS_MAX);
    this.#day = epochAt(now);
    this.#first = this.take();
  }

  read(now: number): NonNullable<GatewayFigures['trafficDays']> {
    this.#turnDay(now);
    return [...this.#ended, this.#today()];
  }

  #today() {
    return { day: epochName(this.#day), ...trafficBetween(this.#first, this.take(), this.bounds) };
  }
}
