import type { HeldMemory } from '../http/held-memory/held-memory';
import type { Speech } from '../speech/speech';
import type { Metrics } from '../telemetry/metrics';

/** Registers metrics of queue lengths, and of the memory that large answers occupy. */
export function measureQueues(
  metrics: Metrics,
  { memory, speech }: { memory: Pick<HeldMemory, 'figures'>; speech: Pick<Speech, 'turns' | 'encoders'> },
): void {
  metrics.gauge(
    {
      name: 'turnpike_queue_length',
      help: 'Waiting work: large answers for memory, speech requests for a turn, audio for an encoder.',
      labels: ['queue'],
    },
    (say) => {
      say({ queue: 'answers' }, memory.figures.waiting);
      say({ queue: 'speech' }, speech.turns.waiting);
      say({ queue: 'encoders' }, speech.encoders.load.waiting);
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
