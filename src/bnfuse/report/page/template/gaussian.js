// A Gaussian network and its answers: inference/gaussian/joint.py explains the method. Each variable is a constant plus
// weighted noises; conditional distributions are projections of them.
const AGREES = 1e-9; // standard deviations by which values may differ from what others imply

// network: { own, parents, coefficients, intercepts, deviations }, as in gaussian/page_numbers.py. Answers with functions of known
// values, [variable, { value, isSet }]: the mean and standard deviation of each variable by its number, or the first value that cannot be.
export function gaussian(network) {
  const place = new Map(network.own.map((variable, i) => [variable, i]));
  const order = topological(network, place);

  function ask(known) {
    const all = new Map([...known].filter(([variable]) => place.has(variable)));
    const { means, weights } = weighted(network, place, order, all);
    const basis = [];
    for (const [variable, { value, isSet }] of all) {
      if (isSet) continue;
      const i = place.get(variable);
      const { left, parts } = projected(weights[i], basis);
      const apart = value - means[i] - parts.reduce((sum, part, k) => sum + part * basis[k].at, 0);
      const size = norm(left);
      const scale = norm(weights[i]);
      if (size > AGREES * scale) basis.push({ axis: left.map((one) => one / size), at: apart / size });
      else if (Math.abs(apart) > AGREES * Math.max(scale, Math.abs(value), Math.abs(means[i]))) return { impossible: variable };
    }
    const answers = new Map(network.own.map((variable, i) => {
      const { left, parts } = projected(weights[i], basis);
      const mean = means[i] + parts.reduce((sum, part, k) => sum + part * basis[k].at, 0);
      const found = all.get(variable);
      return [variable, found ? { mean: found.value, sd: 0 } : { mean, sd: snapped(norm(left), norm(weights[i])) }];
    }));
    return { answers };
  }

  return { has: (variable) => place.has(variable), ask };
}

// Its variables as constants plus weighted noises: their positions, the means, and a row of weights for each.
export function inNoises(network) {
  const place = new Map(network.own.map((variable, i) => [variable, i]));
  return { place, ...weighted(network, place, topological(network, place), new Map()) };
}

function topological({ own, parents }, place) {
  const order = [];
  const seen = new Set();
  function visit(i) {
    if (seen.has(i)) return;
    seen.add(i);
    for (const parent of parents[i]) visit(place.get(parent));
    order.push(i);
  }
  own.forEach((_, i) => visit(i));
  return order;
}

// A variable that is set has no causes and no noise.
function weighted({ own, parents, coefficients, intercepts, deviations }, place, order, known) {
  const means = new Float64Array(own.length);
  const weights = own.map(() => new Float64Array(own.length));
  for (const i of order) {
    const found = known.get(own[i]);
    if (found?.isSet) {
      means[i] = found.value;
      continue;
    }
    means[i] = intercepts[i];
    weights[i][i] = deviations[i];
    parents[i].forEach((parent, at) => {
      const from = place.get(parent);
      means[i] += coefficients[i][at] * means[from];
      for (let k = 0; k < own.length; k++) weights[i][k] += coefficients[i][at] * weights[from][k];
    });
  }
  return { means, weights };
}

// The residuals of weights after projection on a basis, and their parts along it; twice, to remove rounding errors.
function projected(row, basis) {
  const left = Float64Array.from(row);
  const parts = basis.map(() => 0);
  for (let round = 0; round < 2; round++) {
    basis.forEach(({ axis }, k) => {
      let part = 0;
      for (let j = 0; j < left.length; j++) part += left[j] * axis[j];
      parts[k] += part;
      for (let j = 0; j < left.length; j++) left[j] -= part * axis[j];
    });
  }
  return { left, parts };
}

const norm = (row) => Math.sqrt(row.reduce((sum, one) => sum + one * one, 0));
const snapped = (size, scale) => (size <= 1e-13 * scale ? 0 : size);
