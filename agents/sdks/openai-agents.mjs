import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import {
  firstPrompt,
  key,
  model,
  openaiUrl,
  picture,
  prompt,
  replaceInNotes,
  task,
  toolDescription,
  toolName,
  toolSchema,
} from './task.mjs';

setDefaultOpenAIClient(new OpenAI({ baseURL: openaiUrl, apiKey: key }));
setTracingDisabled(true);
const tools =
  task === 'tools'
    ? [
        tool({
          name: toolName,
          description: toolDescription,
          parameters: toolSchema,
          strict: true,
          execute: replaceInNotes,
        }),
      ]
    : [];
const agent = new Agent({ name: 'Exercise', instructions: 'Be brief.', model, tools });
const user = (content) => ({ role: 'user', content });
const streamed = async (input) => {
  const result = await run(agent, input, { stream: true });
  for await (const _event of result);
  await result.completed;
  return result.finalOutput;
};

if (task === 'conversation') {
  const first = await run(agent, firstPrompt);
  console.log(await streamed([...first.history, user(prompt)]));
} else if (task === 'image') {
  console.log(
    await streamed([
      user([
        { type: 'input_text', text: prompt },
        { type: 'input_image', image: `data:image/png;base64,${picture()}` },
      ]),
    ]),
  );
} else console.log(await streamed(prompt));
