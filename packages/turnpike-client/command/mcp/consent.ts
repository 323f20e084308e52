import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { TurnpikeError } from '../../src/turnpike-error';
import type { EventListener } from '../../src/turnpike-event';
import { describeToday } from '../described-event';
import { printableLine } from '../printable';
import { type CallExtra, currentCall } from './tool-call';

/** A person may think about it. */
const ANSWER_TIMEOUT_MS = 300_000;

/**
 * A listener that has a person agree to every top-up, through the client whose call it is (MCP, "elicitation"). A
 * client that cannot ask its user moves no money, and neither does one that has given up on the call meanwhile.
 */
export const askBeforeTopUp: EventListener = async (event) => {
  if (event.type !== 'top-up-begins') return;
  const call = currentCall();
  if (call === undefined || call.server.getClientCapabilities()?.elicitation?.form === undefined) {
    throw new TurnpikeError('TOP_UP_REFUSED', {
      message: `A top-up of ${event.amountUsd} USD needs a person's consent, and this client cannot ask for it.`,
      remedy: 'Nothing was signed. Top up by hand (turnpike-client top-up), or start the server with --auto-top-up.',
    });
  }
  const message = printableLine(
    `Pay ${event.amountUsd} USD from ${event.from} on ${event.network} to ${event.payTo}? ${describeToday(event)}.`,
  );
  const { action, content } = await asked(call.server, call.extra, message, `Pay ${event.amountUsd} USD`);
  if (action !== 'accept' || content?.['pay'] !== true)
    throw refused('The person who was asked did not agree to the top-up.');
};

/** On the stream of the call itself, since a client over HTTP need not listen to another. */
async function asked(
  server: Server,
  { requestId, signal }: CallExtra,
  message: string,
  title: string,
): Promise<ElicitResult> {
  const requestedSchema = {
    type: 'object' as const,
    properties: { pay: { type: 'boolean' as const, title } },
    required: ['pay'],
  };
  try {
    return await server.elicitInput(
      { message, requestedSchema },
      { timeout: ANSWER_TIMEOUT_MS, relatedRequestId: requestId, signal },
    );
  } catch (cause) {
    throw refused(`Nobody agreed to the top-up: ${(cause as Error).message}`, cause);
  }
}

function refused(message: string, cause?: unknown): TurnpikeError {
  return new TurnpikeError('TOP_UP_REFUSED', {
    message,
    remedy: 'Nothing was signed. Ask the person whether they want to pay before you try again.',
    cause,
  });
}
