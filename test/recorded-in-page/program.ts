import type { Recording } from '@/lib/protocol/attestation/testing/verify-recording';
import { recordedOutcome, timeRecorded } from './recorded-outcome';
import type { SentRecording } from './recorded-page';

/** Program for a page that verifies recordings. */
Object.assign(globalThis, {
  recordedOutcome: (sent: SentRecording) => recordedOutcome(received(sent)),
  timeRecorded: (sent: SentRecording) => timeRecorded(received(sent)),
});

function received({ manifest, responses }: SentRecording): Pick<Recording, 'manifest' | 'responses'> {
  return {
    manifest,
    responses: responses.map(({ body, ...head }) => ({
      ...head,
      body: body === null ? null : Uint8Array.from(atob(body), (character) => character.charCodeAt(0)),
    })),
  };
}
