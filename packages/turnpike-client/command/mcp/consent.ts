import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { TurnpikeError } from '../../src/turnpike-error';
import type { EventListener } from '../../src/turnpike-event';
import { describeToday } from '../described-event';
import { printableLine } from '../printable';
import { type CallExtra, currentCall } from './tool-call';

const ANSWER_TIMEOUT_MS = 300_000;

/**
 * Listener that asks a person to approve every top-up, through the calling client (MCP, "elicitation"). Refuses if the
 * client cannot ask its user or has cancelled the tool call.
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
  if (action !== 'accept' || content?.['pay'] !== true) throw refused('The person did not approve the top-up.');
};

/** Asks on the stream of the tool call, because an HTTP client might not listen to any other stream. */
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
    throw refused(`The top-up was not approved: ${(cause as Error).message}`, cause);
  }
}

function refused(message: string, cause?: unknown): TurnpikeError {
  return new TurnpikeError('TOP_UP_REFUSED', {
    message,
    remedy: 'Nothing was signed. Ask the person whether they want to pay before you try again.',
    cause,
  });
}
