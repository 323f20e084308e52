import { readFileSync, writeFileSync } from 'node:fs';

/** The program's task, which is read from environment variables. */
const {
  TASK_NAME: task,
  TASK_PROMPT: prompt,
  TASK_FIRST_PROMPT: firstPrompt,
  TASK_OPENAI_URL: openaiUrl,
  TASK_ANTHROPIC_URL: anthropicUrl,
  TASK_KEY: key,
  TASK_MODEL: model,
} = process.env;
export { anthropicUrl, firstPrompt, key, model, openaiUrl, prompt, task };

export const picture = () => readFileSync('picture.png').toString('base64');

export const toolName = 'replace_in_notes';
export const toolDescription = 'Replaces a word in notes.txt.';
export const toolSchema = {
  type: 'object',
  properties: { before: { type: 'string' }, after: { type: 'string' } },
  required: ['before', 'after'],
  additionalProperties: false,
};

/** Does what the tool promises: replaces a text in notes.txt. */
export function replaceInNotes({ before, after }) {
  writeFileSync('notes.txt', readFileSync('notes.txt', 'utf8').replace(before, after));
  return 'Replaced.';
}
