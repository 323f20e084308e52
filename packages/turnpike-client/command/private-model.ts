import { encryptingModel, listChatModels } from '@/lib/client/chat-models';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError, withTypedErrors } from '../src/turnpike-error';

/**
 * Returns the default model for encrypted chats, preferably one whose server answers.
 *
 * @throws {TurnpikeError} MODEL_UNKNOWN if there is none
 */
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
