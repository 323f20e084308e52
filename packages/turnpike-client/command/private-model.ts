import { listChatModels } from '@/lib/client/chat-models';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError, withTypedErrors } from '../src/turnpike-error';

/** The first model that takes encrypted chats and answers. @throws {TurnpikeError} MODEL_UNKNOWN where there is none */
export async function firstPrivateModel({ connection }: Pick<Turnpike, 'connection'>, signal: AbortSignal): Promise<string> {
  const models = await withTypedErrors(() => listChatModels(connection, { signal }));
  const model = models.find(({ can, isOffline }) => can.encrypt && !isOffline) ?? models.find(({ can }) => can.encrypt);
  if (model === undefined) throw new TurnpikeError('MODEL_UNKNOWN', { message: 'The gateway has no model that takes encrypted chats.' });
  return model.id;
}
