import type { Browser } from '@playwright/test';
import { measureInteractions } from './interactions.ts';
import { type LoadFigures, measureLoad } from './page-load.ts';
import type { StoredState } from './wallet-state.ts';

/** Measurements of one page. Sizes are transferred bytes, shifts are CLS, times are ms. */
export interface PageFigures {
  path: string;
  /** Bytes of script before any user input. */
  scriptBytes: number;
  shift: Record<ShiftCase, number>;
  /** The elements that moved most. */
  moved: Record<ShiftCase, string[]>;
  interactionMs: number;
  slowestInteraction: string;
  /** Failed requests of a load, as `404 /path`. */
  failed: string[];
}

export type ShiftCase = 'plain' | 'slowApi' | 'withWallet';

export interface MeasuredConsole {
  browser: Browser;
  baseUrl: string;
  /** Browser storage with the demo wallet connected. */
  walletState: StoredState;
  /** Number of rounds of interactions, of which the median counts. */
  rounds: number;
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const SLOW_API_MS = 1_500;

/** Measures one page: the worse of its loads on a phone and a desktop, and interactions on a slow phone. */
export async function measurePage(measured: MeasuredConsole, path: string): Promise<PageFigures> {
  const { browser, baseUrl, walletState, rounds } = measured;
  const url = `${baseUrl}${path}`;
  const onBoth = async (options: { apiDelayMs?: number; state?: StoredState }): Promise<LoadFigures[]> => [
    await measureLoad(browser, { url, viewport: DESK, ...options }),
    await measureLoad(browser, { url, viewport: PHONE, ...options }),
  ];
  const plain = await onBoth({});
  const slowApi = await onBoth({ apiDelayMs: SLOW_API_MS });
  const withWallet = await onBoth({ state: walletState });
  const interaction = await measureInteractions(browser, { url, viewport: PHONE, rounds });
  return {
    path,
    scriptBytes: Math.max(...plain.map(({ scriptBytes }) => scriptBytes)),
    shift: { plain: worst(plain).shift, slowApi: worst(slowApi).shift, withWallet: worst(withWallet).shift },
    moved: { plain: worst(plain).moved, slowApi: worst(slowApi).moved, withWallet: worst(withWallet).moved },
    interactionMs: interaction.ms,
    slowestInteraction: interaction.name,
    failed: [...new Set([...plain, ...withWallet].flatMap(({ failed }) => failed))],
  };
}

function worst(loads: LoadFigures[]): LoadFigures {
  return loads.reduce((worse, load) => (load.shift > worse.shift ? load : worse));
}
