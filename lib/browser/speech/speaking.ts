'use client';

import type { CallCredential, SpeechModel, SpeechRequest } from '@/lib/client';
import { loadCode } from '../load-code';
import { countCharacters, speechCostUsd } from './speech-draft';
import {
  askedTake,
  changeTake,
  clearStage,
  putTakes,
  REFUSED_TAKES_KEY,
  type Take,
  takesNow,
  whileRunning,
} from './takes';

/** Speaks one request, or two of them at once to compare, in place of what was there. */
export async function speakTakes(
  requests: readonly SpeechRequest[],
  model: SpeechModel,
  credential: CallCredential | null,
): Promise<void> {
  clearStage();
  const fresh = requests.map((request, index) =>
    askedTake(request, speechCostUsd(countCharacters(request.input), model.usdPerMillionCharacters), index === 0),
  );
  putTakes(fresh);
  await Promise.all(fresh.map((take) => fill(take, credential)));
}

/** Speaks those again, as they were asked for, of which nothing could be heard; and the given one, in its place. */
export async function speakAgain(
  take: Take,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
): Promise<void> {
  const again = takesNow().filter((each) => each.id === take.id || (each.status === 'failed' && each.bytes === 0));
  const fresh = again.map((each) => ({
    old: each,
    take: askedTake(each.request, takeCostUsd(each, models), each.id === take.id),
  }));
  again.forEach(({ playUrl }) => playUrl !== null && URL.revokeObjectURL(playUrl));
  putTakes(takesNow().map((each) => fresh.find(({ old }) => old.id === each.id)?.take ?? each));
  await Promise.all(fresh.map((each) => fill(each.take, credential)));
}

/** Loads what speaking takes, for the moment in which somebody is about to speak. */
export function preloadSpeaking(): void {
  void loadParts().catch(() => undefined);
}

/** Brings back what was refused before the page was reloaded, as for a payment, so that it can go on. */
export async function restoreRefusedTakes(): Promise<void> {
  if (takesNow().length > 0 || !mayHaveRefusedTakes()) return;
  const { refusedTakes } = await loadCode(() => import('./refused-takes'));
  if (takesNow().length === 0) putTakes(refusedTakes());
}

/** What a take costs at today's price; what it was where its model is gone. */
function takeCostUsd({ request, characters, costUsd }: Take, models: readonly SpeechModel[]): string {
  const model = models.find(({ id }) => id === request.model);
  return model === undefined ? costUsd : speechCostUsd(characters, model.usdPerMillionCharacters);
}

/** It can be stopped from the moment in which it stands on the stage: its code may take long to come. */
async function fill(take: Take, credential: CallCredential | null): Promise<void> {
  await whileRunning(take.id, async (signal) => {
    try {
      const parts = await Promise.race([loadCode(loadParts), stopped(signal)]);
      if (parts === null) changeTake(take.id, { status: 'stopped' });
      else await parts.speakTake(take, credential, signal);
    } catch (error) {
      // Its code did not come, so nothing was sent.
      changeTake(take.id, { status: 'failed', error: asError(error) });
    }
  });
}

function stopped(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

/** Its code is no part of the page: it comes with the first act. */
function loadParts() {
  return import('./speak-take');
}

/** Asked of the storage itself: the code that reads it is needed by few. */
function mayHaveRefusedTakes(): boolean {
  try {
    return (window.sessionStorage.getItem(REFUSED_TAKES_KEY) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
