/**
 * Strongly connected components of a graph (Tarjan, 1972). A component comes after all components that it leads to.
 * Uses a loop, because recursion would overflow the stack.
 *
 * @param edges targets of each node, by index
 */
export function strongComponents(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isOpen = new Uint8Array(edges.length);
  const open: number[] = [];
  const found: number[][] = [];
  let next = 0;
  const enter = (node: number, path: Step[]): void => {
    order[node] = low[node] = next++;
    open.push(node);
    isOpen[node] = 1;
    path.push({ node, edge: 0 });
  };
  const close = (node: number): void => {
    const component: number[] = [];
    for (let member = -1; member !== node; component.push(member)) {
      member = open.pop() as number;
      isOpen[member] = 0;
    }
    found.push(component);
  };
  for (let start = 0; start < edges.length; start++) {
    if (order[start] !== -1) continue;
    const path: Step[] = [];
    enter(start, path);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const { node } = step;
      const to = edges[node]?.[step.edge++];
      if (to === undefined) {
        path.pop();
        const above = path.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[node] as number);
        if (low[node] === order[node]) close(node);
      } else if (order[to] === -1) enter(to, path);
      else if (isOpen[to]) low[node] = Math.min(low[node] as number, order[to] as number);
    }
  }
  return found;
}

interface Step {
  node: number;
  edge: number;
}
