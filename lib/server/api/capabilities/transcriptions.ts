import { Transcriptions } from '../../transcriptions/transcriptions';
import { audioTranscriptions } from '../audio/transcriptions';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Sells transcripts. */
export function openTranscriptions({ config, log, memory }: Ground) {
  const transcriptions = new Transcriptions(config.transcriptions, config.dataDir, log, memory);
  return {
    models: transcriptions.models,
    endpoints: ({ paidCalls }) => [audioTranscriptions({ paidCalls, transcriptions })],
    close: () => transcriptions.close(),
  } satisfies Capability & Pick<Transcriptions, 'models'>;
}
