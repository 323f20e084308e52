import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { attestationPolicy, attestationRefusal, attestModel } from '@/lib/client/private-chat';
import { createPrivateFetch } from '../../src/private-fetch';
import { withTypedErrors } from '../../src/turnpike-error';
import { readChatPieces } from '../chat-pieces';
import { firstPrivateModel } from '../private-model';
import { collectPieces } from '../proxy/collected-answer';
import { refusedChat } from '../refused-chat';
import { onBehalfOf } from './consent';
import type { McpParts } from './mcp-server';
import { jsonResult, told } from './tool-result';

const TEXT_MAX = 1_000_000;

/** Private questions, and attestations of who answers them. */
export function addModelTools(server: McpServer, { customer, privately }: McpParts): void {
  const policy = attestationPolicy(privately);
  const accepted = privately.accepted ?? ['verified'];

  server.registerTool(
    'ask_private_model',
    {
      title: 'Ask a private model',
      description: 'Asks a model in an enclave. The enclave is verified first, the question is encrypted to it, and the signature of its answer is checked; where one of these does not hold, nothing is sent or the answer is refused.',
      inputSchema: {
        prompt: z.string().min(1).max(TEXT_MAX),
        system: z.string().max(TEXT_MAX).optional(),
        model: z.string().min(1).max(200).optional().describe('turnpike://models lists them; the first that encrypts unless given'),
        maxTokens: z.number().int().min(1).max(1_000_000).optional(),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ prompt, system, model: chosen, maxTokens }, { signal }) =>
      told(() =>
        onBehalfOf(server.server, async () => {
          const model = chosen ?? (await firstPrivateModel(customer, signal));
          const privacy: { signature: string | null; verdict: string | null } = { signature: null, verdict: null };
          const fetch = createPrivateFetch(customer, {
            ...privately,
            onAttestation: ({ verdict }) => (privacy.verdict = verdict.conclusion),
            onSignature: ({ outcome }) => (privacy.signature = outcome),
          });
          const messages = [...(system === undefined ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }];
          const response = await fetch('/api/v1/chat/completions', { method: 'POST', body: JSON.stringify({ model, messages, ...(maxTokens !== undefined && { max_tokens: maxTokens }) }), headers: { 'content-type': 'application/json' }, signal });
          if (!response.ok) throw await refusedChat(response);
          const { text, usage } = await collectPieces(readChatPieces(response));
          return jsonResult({ model, answer: text, ...privacy, usage });
        }),
      ),
  );

  server.registerTool(
    'verify_attestation',
    {
      title: 'Verify an attestation',
      description: "Asks a model's enclave for a report over a fresh nonce and verifies it here. Free.",
      inputSchema: { model: z.string().min(1).max(200) },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ model }, { signal }) =>
      told(async () => {
        const attestation = await withTypedErrors(() => attestModel({ connection: customer.connection, model, policy, needsPublicKey: false, signal }));
        const { conclusion, reason, checks, workload } = attestation.verdict;
        return jsonResult({ model, verdict: conclusion, reason, isAccepted: attestationRefusal(attestation, accepted) === null, workload, checks: checks.map(({ id, outcome, reason: why }) => ({ id, outcome, reason: why ?? null })) });
      }),
  );
}
