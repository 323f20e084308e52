import { type ChatModelInfo, encryptingModel, listChatModels } from '@/lib/client/chat-models';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError, withTypedErrors } from '../src/turnpike-error';

/**
 * Returns the named model. Without a name, returns the default model for encrypted chats, preferably one whose server
 * responds.
 *
 * @throws {TurnpikeError} MODEL_UNKNOWN if there is no such model
 */
export async function chosenModel(
  { connection }: Pick<Turnpike, 'connection'>,
  named: string | undefined,
  signal: AbortSignal,
): Promise<ChatModelInfo> {
  const models = await withTypedErrors(() => listChatModels(connection, { signal }));
  const model =
    named === undefined
      ? (encryptingModel(models.filter(({ isOffline }) => !isOffline)) ?? encryptingModel(models))
      : models.find(({ id }) => id === named);
  if (model === undefined)
    throw new TurnpikeError('MODEL_UNKNOWN', {
      message:
        named === undefined
          ? 'The gateway has no model that accepts encrypted chats.'
          : `The gateway has no model called ${JSON.stringify(named)}.`,
    });
  return model;
}

/** Returns the id of the default model for encrypted chats. */
export async function firstPrivateModel(customer: Pick<Turnpike, 'connection'>, signal: AbortSignal): Promise<string> {
  return (await chosenModel(customer, undefined, signal)).id;
}
