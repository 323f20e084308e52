// Uses the gateway as a provider of the AI SDK.
import { generateText } from 'ai';
import { createTurnpike } from 'turnpike-client';
import { turnpikeModels } from 'turnpike-client/ai-sdk';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const models = turnpikeModels(createTurnpike({ url, account }));
const { text } = await generateText({ model: models('guide'), prompt: 'How does staking work?' });
console.log(text);
