import { formatUsd } from '@/lib/protocol/pricing';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { speechCostNanoUsd } from '@/lib/protocol/speech/speech-price';
import type { SpeechRequest } from '@/lib/protocol/speech/speech-request';
import type { ReplayBody } from '../billing/keeping';
import type { Settled } from '../billing/meter';
import type { PaidCall, Purchase } from '../billing/paid-call';
import type { OfferedSpeechModel } from './offered-model';

const COST_DECIMALS = 8;

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
  paid: PaidCall;
}

/** What so many characters of it are bought as. */
export function speechPurchase(
  { model }: CheckedSpeech,
  characters: number,
  replayBody: ReplayBody | null = null,
): Purchase {
  return {
    amountNanoUsd: speechCostNanoUsd(characters, model.priceNanoUsdPerMillion),
    credits: 0,
    units: characters,
    resource: `speech/${model.id}`,
    detail: `${characters} characters`,
    replayBody,
  };
}

/** Charges so many characters. Resolves once that is committed. @param replayBody the answer, where it is kept */
export function settleSpeech(
  speech: PaidSpeech,
  characters: number,
  replayBody: ReplayBody | null = null,
): Promise<Settled> {
  return speech.paid.settle(speechPurchase(speech, characters, replayBody));
}

/**
 * Keeps what is held while somebody speaks, and notes what was spoken so far, which is charged if this process dies.
 * @param characters that were spoken until now
 * @returns how to stop
 */
export function keepSpeechAlive(speech: PaidSpeech, characters: () => number): () => void {
  return speech.paid.keepAlive(() => speechPurchase(speech, characters()));
}

/** The headers of an answer with audio. On a stream, characters and cost are the most that it comes to. */
export function speechHeaders(
  { model, format, characters, maxNanoUsd, paid }: PaidSpeech,
  remainingNanoUsd: number,
): Record<string, string> {
  return {
    'content-type': AUDIO_FORMAT_INFO[format].contentType,
    'x-service-speech-engine': model.engine,
    'x-service-speech-characters': String(characters),
    'x-service-speech-cost-usd': formatUsd(maxNanoUsd, COST_DECIMALS),
    ...paid.balanceHeader(remainingNanoUsd),
  };
}
