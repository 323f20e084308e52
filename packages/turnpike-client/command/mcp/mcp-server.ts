import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import manifest from '../../package.json';
import { addChainTools } from './chain-tools';
import { MadePayment } from './client-payment';
import { answered, type McpParts, type ToolParts } from './tool-call';
import { addMediaTools } from './media-tools';
import { addModelTools } from './model-tools';
import { addMoneyTools } from './money-tools';
import { addResources } from './resources';

const INPUT_ELEMENTS_MAX = 10_000;

const INSTRUCTIONS =
  'Blockchains, private models, speech, transcripts, pictures and embeddings behind one gateway. Read turnpike://networks and turnpike://models for names, and turnpike://prices for costs, before the first call.';
const OWNER_PAYS = `${INSTRUCTIONS} Videos too. Calls are paid for by the owner of this server, within a budget: \`balance\` shows the balances. After BUDGET_EXCEEDED or TOP_UP_REFUSED, do not try again: ask the person.`;
const CLIENT_PAYS = `${INSTRUCTIONS} Calls are paid for by the client (x402): the answer to a call without a payment states its maximum cost.`;

export function createMcpServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'turnpike', title: parts.gatewayName, version: manifest.version },
    { maxToolInputElements: INPUT_ELEMENTS_MAX, instructions: parts.clientPays ? CLIENT_PAYS : OWNER_PAYS },
  );
  const tools: ToolParts = {
    ...parts,
    answer: (extra, run) =>
      answered({ server: server.server, extra, payment: parts.clientPays ? new MadePayment(extra._meta) : null }, run),
  };
  addChainTools(server, tools);
  addModelTools(server, tools);
  addMediaTools(server, tools);
  // Clients that pay per tool call have no balance at this server.
  if (!parts.clientPays) addMoneyTools(server, tools);
  addResources(server, parts);
  return server;
}
