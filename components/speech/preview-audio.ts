'use client';

import { type CallCredential, speak, type SpeechModel } from '@/lib/client';
import { noteCharge } from '@/components/billing/last-charge';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { playableOf } from '@/lib/browser/audio/decoded-audio';

/** Preview audio by model and voice, so that the user pays only once for each preview. */
const previews = new Map<string, string>();

/** Returns the URL of a recording in which a voice says a sentence. Rejects with GatewayError or UnreachableError. */
export async function previewUrl(
  model: SpeechModel,
  voice: string,
  sentence: string,
  credential: CallCredential | null,
): Promise<string> {
  const key = `${model.id} ${voice}`;
  const known = previews.get(key);
  if (known !== undefined) return known;
  const answer = await speak(gatewayOptions(credential), {
    model: model.id,
    voice,
    input: sentence,
    response_format: model.defaultFormat,
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of answer.chunks) parts.push(chunk);
  noteCharge(answer.balanceRemainingUsd);
  const url = URL.createObjectURL(await playableOf(new Blob(parts, { type: answer.contentType })));
  previews.set(key, url);
  return url;
}
