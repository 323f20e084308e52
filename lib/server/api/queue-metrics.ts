import type { HeldMemory } from '../http/held-memory/held-memory';
import type { Metrics } from '../telemetry/metrics';

export interface Queues {
  /** Large answers that wait for memory. */
  answers: () => number;
  /** Requests that wait to synthesize speech. */
  speech: () => number;
  /** Requests that wait for an audio encoder. */
  encoders: () => number;
}

/** Registers metrics of queue lengths, and of the memory that large answers occupy. */
export function measureQueues(metrics: Metrics, queues: Queues, memory: Pick<HeldMemory, 'figures'>): void {
  metrics.gauge(
    {
      name: 'turnpike_queue_length',
      help: 'Waiting work: large answers for memory, speech requests for a turn, audio for an encoder.',
      labels: ['queue'],
    },
    (say) => {
      for (const [queue, length] of Object.entries(queues) as [string, () => number][]) say({ queue }, length());
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_answers_held_bytes',
      help: 'Memory of large answers, from their first byte until the caller has read them.',
      labels: [],
    },
    (say) => say({}, memory.figures.heldBytes),
  );
  metrics.counter(
    {
      name: 'turnpike_readers_given_up_total',
      help: 'Callers that were disconnected because they did not read a large answer in time.',
      labels: [],
    },
    (say) => say({}, memory.figures.givenUpTotal),
  );
}
