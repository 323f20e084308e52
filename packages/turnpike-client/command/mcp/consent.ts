import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { TurnpikeError } from '../../src/turnpike-error';
import type { EventListener } from '../../src/turnpike-event';

/** A person may think about it. */
const ANSWER_TIMEOUT_MS = 300_000;
/** Whose call it is that would have money moved. */
const asking = new AsyncLocalStorage<Server>();

/** Runs a tool for the client behind this server, who is asked where money would move. */
export function onBehalfOf<Result>(server: Server, run: () => Promise<Result>): Promise<Result> {
  return asking.run(server, run);
}

/**
 * A listener that has a person agree to every top-up, through the client whose call it is (MCP, "elicitation"). A
 * client that cannot ask its user moves no money.
 */
export const askBeforeTopUp: EventListener = async (event) => {
  if (event.type !== 'top-up-begins') return;
  const server = asking.getStore();
  if (server?.getClientCapabilities()?.elicitation === undefined) throw new TurnpikeError('TOP_UP_REFUSED', { message: `A top-up of ${event.amountUsd} USD needs a person's consent, and this client cannot ask for it.`, remedy: 'Top up by hand (turnpike-client top-up), or start the server with --auto-top-up.' });
  const { action, content } = await server.elicitInput(
    {
      message: `Pay ${event.amountUsd} USD from ${event.from} on ${event.network} to ${event.payTo}? ${event.spentTodayUsd} USD were paid within the last 24 hours.`,
      requestedSchema: { type: 'object', properties: { pay: { type: 'boolean', title: `Pay ${event.amountUsd} USD` } }, required: ['pay'] },
    },
    { timeout: ANSWER_TIMEOUT_MS },
  );
  if (action !== 'accept' || content?.['pay'] !== true) throw new TurnpikeError('TOP_UP_REFUSED', { message: 'The person who was asked did not agree to the top-up.' });
};
