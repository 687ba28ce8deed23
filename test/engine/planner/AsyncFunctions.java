import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.functions.AsyncScalarFunction;
import org.apache.flink.table.ml.AsyncPredictRuntimeProvider;
import org.apache.flink.table.ml.ModelProvider;

/** A function and a model that are called without waiting for their answers, which come at once. */
public class AsyncFunctions {
  public static class Same extends AsyncScalarFunction {
    public void eval(CompletableFuture<String> answer, String text) {
      answer.complete(text);
    }
  }

  public static class SameModels implements ModelProviderFactory {
    @Override
    public String factoryIdentifier() {
      return "same";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
      return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
      return Set.of();
    }

    @Override
    public ModelProvider createModelProvider(Context context) {
      return new SameModel();
    }
  }

  public static class SameModel implements AsyncPredictRuntimeProvider {
    @Override
    public ModelProvider copy() {
      return this;
    }

    @Override
    public AsyncPredictFunction createAsyncPredictFunction(Context context) {
      return new SamePrediction();
    }
  }

  public static class SamePrediction extends AsyncPredictFunction {
    @Override
    public CompletableFuture<Collection<RowData>> asyncPredict(RowData input) {
      return CompletableFuture.completedFuture(List.of(input));
    }
  }
}
