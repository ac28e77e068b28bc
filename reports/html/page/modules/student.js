// Student's distribution, for intervals that depend on what the reader chooses.

function logGamma(value) {
  // Lanczos, g = 7, n = 9.
  const terms = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  let sum = terms[0];
  for (let at = 1; at < terms.length; at += 1) sum += terms[at] / (value - 1 + at);
  const t = value + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (value - 0.5) * Math.log(t) - t + Math.log(sum);
}

// The regularized incomplete beta function, by Lentz's continued fraction.
function beta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a);
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / Math.max(Math.abs(1 - ((a + b) * x) / (a + 1)), tiny);
  let sum = d;
  for (let m = 1; m < 300; m += 1) {
    for (const term of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / (1 + term * d || tiny);
      c = 1 + term / c || tiny;
      sum *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return (Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a) * sum;
}

// The value that is exceeded on either side together with this chance.
const known = new Map();
export function studentQuantile(chance, freedom) {
  const key = `${chance}/${freedom}`;
  if (!known.has(key)) {
    let low = 0;
    let high = 1;
    const outside = (t) => beta(freedom / (freedom + t * t), freedom / 2, 0.5);
    while (outside(high) > chance && high < 1e12) high *= 2;
    for (let step = 0; step < 200 && high - low > 1e-12 * high; step += 1) {
      const middle = (low + high) / 2;
      if (outside(middle) > chance) low = middle;
      else high = middle;
    }
    known.set(key, high);
  }
  return known.get(key);
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

// Half the width of the interval of a mean; nothing for fewer than two values.
export function halfWidth(values, chance) {
  if (values.length < 2) return null;
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return studentQuantile(chance, values.length - 1) * Math.sqrt(squares / (values.length - 1) / values.length);
}
