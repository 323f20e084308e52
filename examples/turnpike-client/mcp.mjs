// Reads a chain and asks a verified model through the official MCP client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

// Reads TURNPIKE_URL and TURNPIKE_API_KEY like the other examples. The sandbox's enclave is simulated, which the client
// accepts only with a flag.
const { TURNPIKE_API_KEY = '', TURNPIKE_URL = 'http://localhost:3000', PATH = '' } = process.env;
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: 'npx',
    args: ['turnpike-client', 'mcp', '--allow-simulated'],
    env: { PATH, TURNPIKE_URL, TURNPIKE_API_KEY },
  }),
);

const { structuredContent: block } = await client.callTool({
  name: 'call_chain',
  arguments: { network: 'ethereum-mainnet', method: 'eth_blockNumber' },
});
const { structuredContent: chat } = await client.callTool({
  name: 'ask_private_model',
  arguments: { prompt: 'How does staking work?' },
});
console.log(
  `Block ${block.result} cost ${block.costUsd} USD. The model (${chat.verdict}, its signature ${chat.signature}) says: ${chat.answer}`,
);
await client.close();
