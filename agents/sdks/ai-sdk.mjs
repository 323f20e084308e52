import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { readFileSync } from 'node:fs';
import {
  anthropicUrl,
  firstPrompt,
  key,
  model as id,
  openaiUrl,
  prompt,
  replaceInNotes,
  task,
  toolDescription,
  toolName,
  toolSchema,
} from './task.mjs';

const PROVIDERS = {
  openai: () => createOpenAI({ baseURL: openaiUrl, apiKey: key })(id),
  'openai-compatible': () =>
    createOpenAICompatible({ name: 'turnpike', baseURL: openaiUrl, apiKey: key, includeUsage: true })(id),
  anthropic: () => createAnthropic({ baseURL: `${anthropicUrl}/v1`, apiKey: key })(id),
};
const model = PROVIDERS[process.argv[2]]();
const user = (content) => ({ role: 'user', content });
const streamed = async (options) => {
  let failure = null;
  const text = await streamText({ model, onError: ({ error }) => (failure = error), ...options }).text.catch(
    (error) => {
      throw failure ?? error;
    },
  );
  if (failure !== null) throw failure;
  return text;
};

if (task === 'conversation') {
  const first = await generateText({ model, prompt: firstPrompt });
  const messages = first.responseMessages ?? first.response.messages;
  console.log(await streamed({ messages: [user(firstPrompt), ...messages, user(prompt)] }));
} else if (task === 'tools') {
  const tools = {
    [toolName]: tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema), execute: replaceInNotes }),
  };
  console.log(await streamed({ prompt, tools, stopWhen: (isStepCount ?? stepCountIs)(5) }));
} else if (task === 'image') {
  console.log(
    await streamed({
      messages: [
        user([
          { type: 'text', text: prompt },
          { type: 'file', mediaType: 'image/png', data: readFileSync('picture.png') },
        ]),
      ],
    }),
  );
} else console.log(await streamed({ prompt }));
