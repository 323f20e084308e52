import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { errorText } from '@/lib/client/bounded-answer';
import { type AcceptableVerdict, attestationPolicy, attestationRefusal, attestModel } from '@/lib/client/private-chat';
import { parsedRecord } from '@/lib/protocol/json-record';
import { collectPieces } from '@/lib/protocol/translation/collected-answer';
import { createPrivateFetch } from '../../src/private-fetch';
import { TurnpikeError, withTypedErrors } from '../../src/turnpike-error';
import { costOfRequest } from '../call-cost';
import { readChatPieces } from '../chat-pieces';
import { firstPrivateModel } from '../private-model';
import { type CallExtra, currentCall, jsonResult, type ToolParts } from './tool-call';

const TEXT_LENGTH_MAX = 1_000_000;
const TOKENS_MAX = 1_000_000;
const ID_LENGTH_MAX = 200;

interface Question {
  prompt: string;
  system?: string | undefined;
  model?: string | undefined;
  maxTokens?: number | undefined;
}

export function addModelTools(server: McpServer, parts: ToolParts): void {
  const ask = asking(parts);
  server.registerTool(
    'ask_private_model',
    {
      title: 'Ask a private model',
      description:
        'Asks a model in an enclave. The tool verifies the enclave, encrypts the question to it, and checks the signature of the answer. If a check fails, it sends nothing or refuses the answer. Charged by the token.',
      inputSchema: {
        prompt: z.string().min(1).max(TEXT_LENGTH_MAX),
        system: z.string().max(TEXT_LENGTH_MAX).optional().describe('System message, which is encrypted too'),
        model: z
          .string()
          .min(1)
          .max(ID_LENGTH_MAX)
          .optional()
          .describe('turnpike://models lists them; by default, the first that supports encryption'),
        maxTokens: z.number().int().min(1).max(TOKENS_MAX).optional(),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (question, extra) => parts.answer(extra, () => ask(question, extra)),
  );

  server.registerTool(
    'verify_attestation',
    {
      title: 'Verify an attestation',
      description: "Asks a model's enclave for a report over a fresh nonce and verifies it here. Free.",
      inputSchema: { model: z.string().min(1).max(ID_LENGTH_MAX).describe('turnpike://models lists them') },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ model }, extra) => parts.answer(extra, () => verified(parts, model, extra)),
  );
}

/**
 * Returns a function that asks a model privately. Questions to a model share one session with the model's attested
 * enclave.
 */
function asking({ customer, privately }: ToolParts): (question: Question, extra: CallExtra) => Promise<CallToolResult> {
  const verdicts = new Map<string, string>();
  const signatures = new WeakMap<object, string>();
  const privateFetch = createPrivateFetch(customer, {
    ...privately,
    onAttestation: ({ model, verdict }) => void verdicts.set(model, verdict.conclusion),
    onSignature: ({ outcome }) => {
      const call = currentCall();
      if (call !== undefined) signatures.set(call, outcome);
    },
  });
  return async ({ prompt, system, model: chosen, maxTokens }, { signal }) => {
    const model = chosen ?? (await firstPrivateModel(customer, signal));
    const messages = [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ];
    const body = JSON.stringify({ model, messages, ...(maxTokens !== undefined && { max_tokens: maxTokens }) });
    const response = await privateFetch('/api/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal,
    });
    if (!response.ok) throw await refusedChat(response);
    const { text, usage, finishReason } = await collectPieces(readChatPieces(response));
    if (text === '' && finishReason === null) throw new TurnpikeError('ANSWER_BROKEN');
    const requestId = response.headers.get('x-request-id');
    const call = currentCall();
    const costUsd = requestId === null || call?.payment !== null ? null : await costOfRequest(customer, requestId);
    return jsonResult({
      model,
      answer: text,
      finishReason,
      verdict: verdicts.get(model) ?? null,
      signature: (call && signatures.get(call)) ?? null,
      usage,
      ...(costUsd !== null && { costUsd }),
    });
  };
}

async function verified(
  { customer, privately }: ToolParts,
  model: string,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  const accepted: readonly AcceptableVerdict[] = privately.accepted ?? ['verified'];
  const attestation = await withTypedErrors(() =>
    attestModel({
      connection: customer.connection,
      model,
      policy: attestationPolicy(privately),
      needsPublicKey: false,
      signal,
    }),
  );
  const { conclusion, reason, checks, workload } = attestation.verdict;
  const refusal = attestationRefusal(attestation, accepted);
  return jsonResult({
    model,
    verdict: conclusion,
    reason,
    isAccepted: refusal === null,
    ...(refusal !== null && { refusal: refusal.message, remedy: refusal.hint }),
    workload,
    checks: checks.map(({ id, outcome, reason: why }) => ({ id, outcome, reason: why ?? null })),
  });
}

async function refusedChat(response: Response): Promise<TurnpikeError> {
  const { error, code, hint } = parsedRecord(await errorText(response)) ?? {};
  if (typeof error !== 'string') return new TurnpikeError('ANSWER_MALFORMED', { status: response.status });
  return new TurnpikeError(typeof code === 'string' ? code : 'REFUSED', {
    message: error,
    status: response.status,
    ...(typeof hint === 'string' && { remedy: hint }),
  });
}
