import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL } from '../model-server';
import type { Program } from '../program';
import { PROMPTS } from '../tasks';

/** Folder of this repository's scripts. Each script is copied next to the packages that it imports. */
const SOURCES = 'agents/sdks';

interface Sdk extends Pick<Program, 'name' | 'title' | 'packages' | 'api'> {
  file: string;
  args?: readonly string[];
}

const AI = '7.0.173';
const OPENAI = '7.59.0';

const SDKS: readonly Sdk[] = [
  {
    name: 'openai-chat',
    title: 'openai, `chat.completions`',
    packages: { openai: OPENAI },
    api: 'Chat Completions',
    file: 'openai-chat.mjs',
  },
  {
    name: 'openai-responses',
    title: 'openai, `responses`',
    packages: { openai: OPENAI },
    api: 'Responses',
    file: 'openai-responses.mjs',
  },
  {
    name: 'anthropic',
    title: '@anthropic-ai/sdk',
    packages: { '@anthropic-ai/sdk': '1.14.0' },
    api: 'Messages',
    file: 'anthropic.mjs',
  },
  {
    name: 'ai-sdk-openai',
    title: 'AI SDK, @ai-sdk/openai',
    packages: { '@ai-sdk/openai': '4.0.118', ai: AI },
    api: 'Responses',
    file: 'ai-sdk.mjs',
    args: ['openai'],
  },
  {
    name: 'ai-sdk-compatible',
    title: 'AI SDK, @ai-sdk/openai-compatible',
    packages: { '@ai-sdk/openai-compatible': '3.0.92', ai: AI },
    api: 'Chat Completions',
    file: 'ai-sdk.mjs',
    args: ['openai-compatible'],
  },
  {
    name: 'ai-sdk-anthropic',
    title: 'AI SDK, @ai-sdk/anthropic',
    packages: { '@ai-sdk/anthropic': '4.0.105', ai: AI },
    api: 'Messages',
    file: 'ai-sdk.mjs',
    args: ['anthropic'],
  },
  {
    name: 'langchain',
    title: 'LangChain',
    packages: { '@langchain/openai': '1.6.0', '@langchain/core': '1.4.0' },
    api: 'Chat Completions',
    file: 'langchain.mjs',
  },
  {
    name: 'openai-agents',
    title: 'OpenAI Agents',
    packages: { '@openai/agents': '0.20.0', openai: OPENAI, zod: '4.6.7' },
    api: 'Responses',
    file: 'openai-agents.mjs',
  },
];

/** Short programs that use an SDK with its default settings. */
export const sdks: readonly Program[] = SDKS.map(({ file, args = [], ...program }) => ({
  ...program,
  invoke: ({ task, prompt, modules, openaiUrl, anthropicUrl, key }) => {
    const folder = join(modules, '..', 'sdks');
    cpSync(SOURCES, folder, { recursive: true });
    return {
      command: [process.execPath, join(folder, file), ...args],
      env: {
        TASK_NAME: task,
        TASK_PROMPT: prompt,
        TASK_FIRST_PROMPT: PROMPTS.prompt,
        TASK_OPENAI_URL: openaiUrl,
        TASK_ANTHROPIC_URL: anthropicUrl,
        TASK_KEY: key,
        TASK_MODEL: MODEL,
        AI_SDK_LOG_WARNINGS: 'false',
      },
    };
  },
}));
