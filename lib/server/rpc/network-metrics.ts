import type { Metrics } from '../telemetry/metrics';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

/** Networks and upstreams are named by the configuration, upstreams by their number in it: URLs hold keys. */
type NodeLabel = 'network' | 'upstream';

/** How the upstreams of each network do, and what the memory of answers spared them. */
export function measureNetworks(metrics: Metrics, networks: RpcNetworks): void {
  const eachNode = (say: (labels: Record<NodeLabel, string>, node: UpstreamNode) => void): void => {
    for (const { network, pool } of networks.backends()) for (const node of pool.nodes) say({ network: network.slug, upstream: node.name }, node);
  };
  const ofNodes = (name: string, help: string, value: (node: UpstreamNode) => number | null): void =>
    metrics.gauge<NodeLabel>({ name, help, labels: ['network', 'upstream'] }, (say) =>
      eachNode((labels, node) => {
        const now = value(node);
        if (now !== null) say(labels, now);
      }),
    );
  metrics.counter<NodeLabel | 'outcome'>({ name: 'turnpike_upstream_attempts_total', help: 'Questions to an upstream by how they came out: answered, lost to another upstream, or the reason of their failure.', labels: ['network', 'upstream', 'outcome'] }, (say) =>
    eachNode((labels, node) => {
      for (const [outcome, count] of node.outcomes()) say({ ...labels, outcome }, count);
    }),
  );
  ofNodes('turnpike_upstream_breaker_open', 'Whether calls, or those of a method, are kept from the upstream by a circuit breaker: 1 or 0.', (node) => Number(node.isCutOff));
  ofNodes('turnpike_upstream_failing', 'Whether health checks of the upstream fail: 1 or 0.', ({ health }) => Number(health.isFailing));
  ofNodes('turnpike_upstream_wrong_chain', 'Whether the upstream serves another chain, and is left out: 1 or 0.', ({ health }) => Number(health.chain === 'wrong'));
  ofNodes('turnpike_upstream_head_lag_blocks', 'Blocks behind the best upstream of its network.', ({ health }) => health.lagBlocks);
  ofNodes('turnpike_upstream_in_flight', 'Questions that the upstream is at.', ({ inFlight }) => inFlight);
  metrics.gauge<NodeLabel | 'state'>({ name: 'turnpike_upstream_connections', help: 'Connections to the upstream, by whether a question is under way on them.', labels: ['network', 'upstream', 'state'] }, (say) =>
    eachNode((labels, { upstream }) => {
      const { open, idle } = upstream.connectionUse;
      say({ ...labels, state: 'idle' }, idle);
      say({ ...labels, state: 'busy' }, open - idle);
    }),
  );
  ofNodes('turnpike_upstream_questions_waiting', 'Questions that wait for a connection to the upstream.', ({ upstream }) => upstream.connectionUse.waiting);
  metrics.counter({ name: 'turnpike_rpc_older_answers_total', help: 'Answers about the head of the chain that were passed over, because their caller had been told of a newer block.', labels: ['network'] }, (say) => {
    for (const { network, heads } of networks.backends()) if (heads) say({ network: network.slug }, heads.passedOver);
  });
  metrics.counter({ name: 'turnpike_rpc_log_parts_total', help: 'Parts in which ranges of logs were read that no upstream serves at once.', labels: ['network'] }, (say) => {
    for (const { network, logs } of networks.backends()) say({ network: network.slug }, logs.partsRead);
  });
  metrics.counter({ name: 'turnpike_rpc_cache_lookups_total', help: 'Reads that could be kept, by whether their answer was in memory.', labels: ['network', 'outcome'] }, (say) => {
    for (const { network, lookups } of networks.backends()) {
      say({ network: network.slug, outcome: 'hit' }, lookups.hits);
      say({ network: network.slug, outcome: 'miss' }, lookups.misses);
    }
  });
}
