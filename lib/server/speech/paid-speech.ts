import { formatUsd } from '@/lib/protocol/pricing';
import { type AudioFormat, AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { speechCostNanoUsd, type SpeechRequest } from '@/lib/protocol/speech/speech-request';
import type { ReplayBody } from '../billing/stored-answers';
import type { Settled } from '../billing/meter';
import type { PaidCall, Purchase } from '../billing/paid-call';
import type { OfferedSpeechModel } from './offered-model';

const COST_DECIMALS = 8;

export interface CheckedSpeech {
  request: SpeechRequest;
  model: OfferedSpeechModel;
  others: readonly OfferedSpeechModel[];
  voice: string;
  format: AudioFormat;
  /** Number of code points in the input. */
  characters: number;
  maxNanoUsd: number;
}

/** Speech whose cost is reserved. */
export interface PaidSpeech extends CheckedSpeech {
  paid: PaidCall;
}

function speechPurchase({ model }: CheckedSpeech, characters: number, replayBody: ReplayBody | null = null): Purchase {
  return {
    amountNanoUsd: speechCostNanoUsd(characters, model.priceNanoUsdPerMillion),
    credits: 0,
    units: characters,
    resource: `speech/${model.id}`,
    detail: `${characters} characters`,
    replayBody,
  };
}

/** Charges the given number of characters. Resolves once the charge is committed. */
export function settleSpeech(
  speech: PaidSpeech,
  characters: number,
  replayBody: ReplayBody | null = null,
): Promise<Settled> {
  return speech.paid.settle(speechPurchase(speech, characters, replayBody));
}

/**
 * Renews the hold, and writes checkpoints. If this process dies, the last checkpoint is charged.
 * @returns a function that stops the renewals
 */
export function keepSpeechAlive(speech: PaidSpeech, characters: () => number): () => void {
  return speech.paid.keepAlive(() => speechPurchase(speech, characters()));
}

/** Returns the headers of an audio answer. For a stream, the characters and the cost are maximum values. */
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
