import { encryptingModel, listChatModels } from '@/lib/client/chat-models';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError, withTypedErrors } from '../src/turnpike-error';

/** The model that takes encrypted chats where none is named, one that answers before others. @throws {TurnpikeError} MODEL_UNKNOWN where there is none */
export async function firstPrivateModel(
  { connection }: Pick<Turnpike, 'connection'>,
  signal: AbortSignal,
): Promise<string> {
  const models = await withTypedErrors(() => listChatModels(connection, { signal }));
  const model = encryptingModel(models.filter(({ isOffline }) => !isOffline)) ?? encryptingModel(models);
  if (model === undefined)
    throw new TurnpikeError('MODEL_UNKNOWN', { message: 'The gateway has no model that takes encrypted chats.' });
  return model.id;
}
