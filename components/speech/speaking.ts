'use client';

import type { CallCredential, SpeechModel, SpeechRequest } from '@/lib/client';
import { loadCode } from '@/lib/browser/page/load-code';
import { countCharacters, speechCostUsd } from './speech-draft';
import {
  askedRecording,
  changeRecording,
  clearStage,
  putRecordings,
  REFUSED_TAKES_KEY,
  type Recording,
  recordingsNow,
  whileRunning,
} from './recordings';

/** Synthesizes one request, or two for comparison, and replaces the shown recordings. */
export async function speakRecordings(
  requests: readonly SpeechRequest[],
  model: SpeechModel,
  credential: CallCredential | null,
): Promise<void> {
  clearStage();
  const fresh = requests.map((request, index) =>
    askedRecording(request, speechCostUsd(countCharacters(request.input), model.usdPerMillionCharacters), index === 0),
  );
  putRecordings(fresh);
  await Promise.all(fresh.map((recording) => fill(recording, credential)));
}

/** Requests the given recording again, and all recordings that failed before audio arrived. */
export async function speakAgain(
  recording: Recording,
  models: readonly SpeechModel[],
  credential: CallCredential | null,
): Promise<void> {
  const again = recordingsNow().filter(
    (each) => each.id === recording.id || (each.status === 'failed' && each.bytes === 0),
  );
  const fresh = again.map((each) => ({
    old: each,
    recording: askedRecording(each.request, recordingCostUsd(each, models), each.id === recording.id),
  }));
  again.forEach(({ playUrl }) => playUrl !== null && URL.revokeObjectURL(playUrl));
  putRecordings(recordingsNow().map((each) => fresh.find(({ old }) => old.id === each.id)?.recording ?? each));
  await Promise.all(fresh.map((each) => fill(each.recording, credential)));
}

export function preloadSpeaking(): void {
  void loadParts().catch(() => undefined);
}

/** Restores the recordings that were refused before a reload. */
export async function restoreRefusedRecordings(): Promise<void> {
  if (recordingsNow().length > 0 || !mayHaveRefusedRecordings()) return;
  const { refusedRecordings } = await loadCode(() => import('./refused-recordings'));
  if (recordingsNow().length === 0) putRecordings(refusedRecordings());
}

/** Returns a recording's cost at the current price, or the former cost if the gateway lacks the model. */
function recordingCostUsd({ request, characters, costUsd }: Recording, models: readonly SpeechModel[]): string {
  const model = models.find(({ id }) => id === request.model);
  return model === undefined ? costUsd : speechCostUsd(characters, model.usdPerMillionCharacters);
}

/** Synthesizes a recording. The user can stop the recording while the code still loads. */
async function fill(recording: Recording, credential: CallCredential | null): Promise<void> {
  await whileRunning(recording.id, async (signal) => {
    try {
      const parts = await Promise.race([loadCode(loadParts), stopped(signal)]);
      if (parts === null) changeRecording(recording.id, { status: 'stopped' });
      else await parts.speakRecording(recording, credential, signal);
    } catch (error) {
      // The code did not load, so nothing was sent or charged.
      changeRecording(recording.id, { status: 'failed', error: asError(error) });
    }
  });
}

function stopped(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

function loadParts() {
  return import('./speak-recording');
}

/** Checks without the parser, so that the parser loads only if there may be recordings. */
function mayHaveRefusedRecordings(): boolean {
  try {
    return (window.sessionStorage.getItem(REFUSED_TAKES_KEY) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
