// Numbers for a network from those of the inputs: the closest Gaussian network to the mixture of the inputs, by weight, as bnfuse
// pools them (inference/gaussian/pooling.py). Each variable has its regression on its parents in the mixture.
import { inNoises } from "./gaussian.js";

const DEPENDS = 1e-12; // of a column, what is left where it follows from others

// inputs: as in gaussian/page_numbers.py, null for one without numbers; weights: whole numbers; parents: of each variable.
// Null where no input has a variable together with its parents.
export function pooledNumbers(inputs, weights, parents) {
  const known = inputs.map((one, i) => one && weights[i] && { ...inNoises(one), weight: weights[i] }).filter(Boolean);
  const found = parents.map((own, variable) => family([...own, variable], known));
  if (found.includes(null)) return null;
  const all = (name) => found.map((one) => one[name]);
  return {
    own: parents.map((_, variable) => variable),
    parents,
    coefficients: all("coefficients"),
    intercepts: all("intercept"),
    deviations: all("deviation"),
  };
}

function family(names, known) {
  const having = known.filter(({ place }) => names.every((name) => place.has(name)));
  const total = having.reduce((sum, { weight }) => sum + weight, 0);
  if (!total) return null;
  const meanOf = (name) => having.reduce((sum, one) => sum + (one.weight / total) * one.means[one.place.get(name)], 0);
  const means = names.map(meanOf);
  // What stands for rows: their squares sum to the covariances of the mixture.
  const columns = names.map((name, at) =>
    having.flatMap((one) => {
      const i = one.place.get(name);
      const root = Math.sqrt(one.weight / total);
      return [...Array.from(one.weights[i], (part) => root * part), root * (one.means[i] - means[at])];
    })
  );
  const own = columns.pop();
  const { coefficients, left } = regression(columns, own);
  const explained = coefficients.reduce((sum, one, at) => sum + one * means[at], 0);
  const size = norm(left);
  return {
    coefficients,
    intercept: means[means.length - 1] - explained,
    deviation: size <= DEPENDS * norm(own) ? 0 : size,
  };
}

// By an orthonormal basis of the columns; one that follows from those before it gets 0.
function regression(columns, own) {
  const basis = [];
  const made = []; // of each vector of the basis: its column, and how it is made of the columns
  columns.forEach((column, at) => {
    const way = columns.map((_, i) => Number(i === at));
    const left = [...column];
    for (let round = 0; round < 2; round++) {
      basis.forEach((axis, k) => {
        const part = dot(left, axis);
        left.forEach((_, j) => (left[j] -= part * axis[j]));
        way.forEach((_, i) => (way[i] -= part * made[k][i]));
      });
    }
    const size = norm(left);
    if (size <= DEPENDS * norm(column)) return;
    basis.push(left.map((one) => one / size));
    made.push(way.map((one) => one / size));
  });
  const left = [...own];
  const coefficients = columns.map(() => 0);
  for (let round = 0; round < 2; round++) {
    basis.forEach((axis, k) => {
      const part = dot(left, axis);
      left.forEach((_, j) => (left[j] -= part * axis[j]));
      coefficients.forEach((_, i) => (coefficients[i] += part * made[k][i]));
    });
  }
  return { coefficients, left };
}

const dot = (one, other) => one.reduce((sum, value, j) => sum + value * other[j], 0);
const norm = (row) => Math.sqrt(dot(row, row));
