import { formatUsd } from '@/lib/protocol/pricing';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { speechCostNanoUsd } from '@/lib/protocol/speech/speech-price';
import type { SpeechRequest } from '@/lib/protocol/speech/speech-request';
import { balanceHeader } from '../billing/charge';
import type { IdentifiedCaller } from '../auth/identify';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { Charge, Reservation, Settled } from '../billing/meter';
import type { OfferedSpeechModel } from './offered-model';

const COST_DECIMALS = 8;
/** Between two notes: a fraction of a reservation's lease. */
const NOTE_INTERVAL_MS = 10_000;

/** A speech request that is checked. */
export interface CheckedSpeech {
  request: SpeechRequest;
  model: OfferedSpeechModel;
  /** The same at further upstreams, in the order in which they may be asked instead. */
  others: readonly OfferedSpeechModel[];
  /** The upstream's name of the voice. */
  voice: string;
  format: AudioFormat;
  /** Code points of the input. */
  characters: number;
  /** What they cost. */
  maxNanoUsd: number;
}

/** One whose cost is held. */
export interface PaidSpeech extends CheckedSpeech {
  call: Call;
  caller: IdentifiedCaller;
  reservation: Reservation;
  /** The caller's purse beside all that is held of it. */
  remainingNanoUsd: number;
}

/** What so many characters of it are charged as. */
export function speechCharge({ model, call }: PaidSpeech, characters: number): Charge {
  return {
    amountNanoUsd: speechCostNanoUsd(characters, model.priceNanoUsdPerMillion),
    credits: 0,
    units: characters,
    resource: `speech/${model.id}`,
    detail: `${characters} characters`,
    requestId: call.requestId,
    replayBody: null,
  };
}

/** Charges so many characters. Resolves once that is committed. */
export function settleSpeech(paid: PaidSpeech, characters: number, { meter }: Pick<Gateway, 'meter'>): Promise<Settled> {
  return meter.settle(paid.reservation, speechCharge(paid, characters));
}

/**
 * Keeps the reservation alive while somebody speaks, and notes what was spoken so far, which is charged if this process
 * dies.
 * @param characters that were spoken until now
 * @returns how to stop
 */
export function keepSpeechNoted(paid: PaidSpeech, { meter, log }: Gateway, characters: () => number): () => void {
  const timer = setInterval(() => {
    Promise.resolve(meter.checkpoint(paid.reservation, speechCharge(paid, characters()))).catch((error: unknown) => {
      log.warn({ err: error, requestId: paid.call.requestId }, 'speech under way could not be noted');
    });
  }, NOTE_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** The headers of an answer with audio. On a stream, characters and cost are the most that it comes to. */
export function speechHeaders({ model, format, characters, maxNanoUsd, caller }: PaidSpeech, remainingNanoUsd: number): Record<string, string> {
  return {
    'content-type': AUDIO_FORMAT_INFO[format].contentType,
    'x-service-speech-engine': model.engine,
    'x-service-speech-characters': String(characters),
    'x-service-speech-cost-usd': formatUsd(maxNanoUsd, COST_DECIMALS),
    ...balanceHeader(caller, remainingNanoUsd),
  };
}
