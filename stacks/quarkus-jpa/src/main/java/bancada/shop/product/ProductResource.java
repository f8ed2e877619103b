// SPDX-License-Identifier: Apache-2.0
package bancada.shop.product;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Category;
import bancada.shop.Product;
import bancada.shop.UnknownParentException;
import bancada.shop.category.CategoryRepository;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/products")
@Produces(MediaType.APPLICATION_JSON)
class ProductResource {

    private final ProductRepository products;
    private final CategoryRepository categories;

    ProductResource(ProductRepository products, CategoryRepository categories) {
        this.products = products;
        this.categories = categories;
    }

    @GET
    public List<ProductResponse> list() {
        return products.listWithCategory().stream().map(ProductResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public ProductResponse insert(@NotNull @Valid ProductRequest request) {
        Category category = categories.findByCode(request.category())
                .orElseThrow(() -> new UnknownParentException("category", request.category()));
        Product product = new Product(request.code(), request.name(), request.priceCents(), category);
        products.persist(product);
        return ProductResponse.of(product);
    }
}
